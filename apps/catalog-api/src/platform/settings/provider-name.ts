/** The kinds of identity provider that the setting `IDP_PROVIDER` accepts. */
export const providerNames = ['none', 'scim', 'keycloak'] as const;

/** One of the kinds of identity provider. */
export type ProviderName = (typeof providerNames)[number];
