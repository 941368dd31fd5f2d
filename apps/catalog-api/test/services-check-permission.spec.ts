import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const source = join(import.meta.dirname, '../src');

/**
 * The functions that check permission. Each throws `AccessDeniedError`, or narrows what the caller sees. The private
 * method `query` of a service that reads records applies `visibleRecords`.
 */
const checks = [
  ...['requireAdministrator', 'requireCurator', 'requireCaller', 'requireSession', 'requireReader'],
  ...['visibleRecords', 'requestOf', 'readableBy', 'seenBy', 'view', 'accountOf', 'prove'],
];

/** Methods without a check before they read or write, each with the reason. */
const methodsWithoutCheck: Readonly<Record<string, string>> = {
  'SessionsService.signIn': 'every caller may try to sign in',
  'SessionsService.get': 'the answer depends on whether the caller is signed in',
  'SessionsService.open': 'the person has proved an account',
  'SessionsService.begin': 'the person has proved an account',
  'SessionsService.clearCookie': 'nothing is read or written',
  'SessionsService.issueCookie': 'the session exists',
  'OidcLoginService.begin': 'every caller may try to sign in',
  'OidcLoginService.finish': 'every caller may try to sign in',
  'DatasetStoragesService.add': 'RecordWriting checks the permission',
  'DatasetStoragesService.remove': 'RecordWriting checks the permission',
  'RecordLinksService.find': 'its private method search applies visibleRecords',
  'SearchService.search': 'the searched services check the permission, and people are searched for administrators only',
};

/** Calls of a service in a controller that pass no caller, each with the reason. */
const callsWithoutCaller: Readonly<Record<string, string>> = {
  'AccessRequestController.receive': 'AccessRequestGuard checks the address of the access-request system',
  'DcatController.catalog': 'harvesters read what every caller may read',
  'DcatController.dataset': 'harvesters read what every caller may read',
  'DcatController.project': 'harvesters read what every caller may read',
  'SitemapController.sitemap': 'the sitemap lists what every caller may read',
  'TermsController.search': 'every caller may read the vocabularies',
  'UsersController.search': 'the answer is the same for all callers that the route admits',
};

/** The methods of services that are not private and take a caller, or a request with its caller. */
const methods = methodsIn('**/*.service.ts').filter(
  ({ node }) => !isPrivate(node) && node.parameters.some(({ type }) => isCallerType(type?.getText())),
);

/** The methods of controllers that call a service without the caller. */
const bareMethods = methodsIn('**/*.controller.ts').filter(({ node }) =>
  callsIn(node).some(
    ({ callee, text }) => /^this\.(service|sessions|passwords|factors)\./.test(callee) && !text.includes('caller'),
  ),
);

describe('services', () => {
  it.each(methods)('should check permission before $name reads or writes', ({ name, node }) => {
    const isChecked = statementsBeforeResult(node).some((statement) =>
      callsIn(statement).some(({ callee }) => callee === 'this.query' || checks.includes(lastWordOf(callee))),
    );
    expect(isChecked || name in methodsWithoutCheck).toBe(true);
  });

  it('should get the caller from every controller, except where the answer does not depend on the caller', () => {
    const names = bareMethods.map(({ name }) => name).filter((name) => !(name in callsWithoutCaller));
    expect(names).toEqual([]);
  });
});

interface Method {
  /** The class and the method, such as `GrantsAdminService.create`. */
  readonly name: string;
  readonly node: ts.MethodDeclaration;
}

function methodsIn(pattern: string): Method[] {
  return globSync(pattern, { cwd: source }).flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const root = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return root.statements
      .filter(ts.isClassDeclaration)
      .flatMap((each) =>
        each.members
          .filter(ts.isMethodDeclaration)
          .map((node) => ({ name: `${each.name?.text ?? ''}.${node.name.getText()}`, node })),
      );
  });
}

/** Returns the statements of a method up to the first one that waits for a result or returns one. */
function statementsBeforeResult({ body }: ts.MethodDeclaration): ts.Statement[] {
  const statements = [...(body?.statements ?? [])];
  const first = statements.findIndex((each) => /\b(await|return)\b/.test(each.getText()));
  return statements.slice(0, first === -1 ? undefined : first + 1);
}

/** Returns the calls within a node, the node's own included. */
function callsIn(node: ts.Node): { callee: string; text: string }[] {
  const own = ts.isCallExpression(node) ? [{ callee: node.expression.getText(), text: node.getText() }] : [];
  const inner: { callee: string; text: string }[] = [];
  node.forEachChild((child) => void inner.push(...callsIn(child)));
  return [...own, ...inner];
}

function isPrivate(node: ts.MethodDeclaration): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) ?? false;
}

function isCallerType(type: string | undefined): boolean {
  return type === 'Principal' || type === 'RequestOrigin';
}

function lastWordOf(callee: string): string {
  return callee.slice(callee.lastIndexOf('.') + 1);
}
