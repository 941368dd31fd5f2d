import { Anchor, Badge, Group, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { components } from '../api/generated/catalog-api.ts';
import { texts } from '../texts/texts.ts';

const words = texts.readiness;

/** The required facts of a dataset, as the service returns them. */
export type Readiness = components['schemas']['DatasetReadinessResponse'];

export interface ReadinessListProps {
  readonly readiness: Readiness;
  /** Moves to the input of a member of the record. @param field as the service writes it, e.g. `metadata.keywords` */
  readonly onEdit: (field: string) => void;
}

/** The number of required facts that are stated, and each missing fact with links to the inputs that state the fact. */
export function ReadinessList({ readiness, onEdit }: ReadinessListProps): ReactNode {
  const { stated, required, facts } = readiness;
  const missing = facts.filter((fact) => !fact.stated);
  return (
    <>
      <Group gap="xs">
        <Text fw={500}>{words.count(stated, required)}</Text>
        {missing.length === 0 && <Badge color="green">{words.ready}</Badge>}
      </Group>
      {missing.length > 0 && (
        <List aria-label={words.missing}>
          {missing.map(({ name, fields, settings }) => (
            <List.Item key={name}>
              {fields.length === 0 && words.bySetting(labelOf(name), settings)}
              {fields.map((field, index) => (
                <span key={field}>
                  {index > 0 && words.or}
                  <Anchor
                    component="button"
                    type="button"
                    onClick={() => {
                      onEdit(field);
                    }}
                  >
                    {index === 0 ? labelOf(name) : words.fieldOf(field)}
                  </Anchor>
                </span>
              ))}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

function labelOf(name: string): string {
  return words.facts[name] ?? name;
}
