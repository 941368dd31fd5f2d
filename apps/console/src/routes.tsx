import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorRouteComponent,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NotFound } from './pages/not-found.tsx';
import { Loading } from './parts/loading.tsx';
import { ProblemBox } from './parts/problem-box.tsx';
import { consolePath } from './place.ts';
import { textsOf } from './search-texts.ts';
import { Shell } from './shell/shell.tsx';

const Broken: ErrorRouteComponent = ({ error, reset }) => <ProblemBox error={error} onRetry={reset} />;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Broken });

/** Returns the route of a page whose module is loaded on the first visit. The module's default export is the page. */
function page<const Path extends string>(path: Path, load: () => Promise<{ default: ComponentType }>) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load),
    validateSearch: textsOf,
  });
}

const pages = root.addChildren([
  page('/', () => import('./pages/overview/overview.tsx')),
  page('/projects', () => import('./pages/catalog/projects.tsx')),
  page('/projects/$id', () => import('./pages/catalog/project.tsx')),
  page('/projects/$id/edit', () => import('./pages/catalog/edit-record.tsx')),
  page('/datasets', () => import('./pages/catalog/datasets.tsx')),
  page('/datasets/$id', () => import('./pages/catalog/dataset.tsx')),
  page('/datasets/$id/edit', () => import('./pages/catalog/edit-record.tsx')),
  page('/contracts', () => import('./pages/catalog/contracts.tsx')),
  page('/contracts/$id', () => import('./pages/catalog/contract.tsx')),
  page('/contracts/$id/edit', () => import('./pages/catalog/edit-record.tsx')),
  page('/partners', () => import('./pages/catalog/partners.tsx')),
  page('/partners/$id', () => import('./pages/catalog/partner.tsx')),
  page('/partners/$id/edit', () => import('./pages/catalog/edit-record.tsx')),
  page('/cohorts', () => import('./pages/catalog/cohorts.tsx')),
  page('/cohorts/$id', () => import('./pages/catalog/cohort.tsx')),
  page('/cohorts/$id/edit', () => import('./pages/catalog/edit-record.tsx')),
  page('/platforms', () => import('./pages/platforms/platforms.tsx')),
  page('/platforms/$id', () => import('./pages/platforms/platform.tsx')),
  page('/use-classes', () => import('./pages/use-classes/use-classes.tsx')),
  page('/imports/submissions', () => import('./pages/imports/submissions.tsx')),
  page('/imports/submissions/$id', () => import('./pages/imports/submission.tsx')),
  page('/imports/datasets', () => import('./pages/imports/deliveries.tsx')),
  page('/imports/datasets/$id', () => import('./pages/imports/delivery.tsx')),
  page('/imports/runs', () => import('./pages/imports/runs.tsx')),
  page('/imports/runs/$id', () => import('./pages/imports/run.tsx')),
  page('/imports/schedule', () => import('./pages/imports/schedule.tsx')),
  page('/users', () => import('./pages/people/users.tsx')),
  page('/users/$id', () => import('./pages/people/user.tsx')),
  page('/endpoints', () => import('./pages/endpoints/endpoints.tsx')),
  page('/endpoints/$id', () => import('./pages/endpoints/endpoint.tsx')),
  page('/accesses', () => import('./pages/accesses/accesses.tsx')),
  page('/accesses/$id', () => import('./pages/accesses/access.tsx')),
  page('/entitlements', () => import('./pages/entitlements/waiting-entitlements.tsx')),
  page('/entitlements/refused', () => import('./pages/entitlements/refused-entitlements.tsx')),
  page('/events', () => import('./pages/events/subscriptions.tsx')),
  page('/events/$id', () => import('./pages/events/subscription.tsx')),
  page('/audit', () => import('./pages/audit/audit-trail.tsx')),
  page('/set-password', () => import('./session/set-password.tsx')),
  page('/identity-sync', () => import('./pages/identity/identity-sync.tsx')),
]);

/** Every address of the console. */
export const router = createRouter({
  routeTree: pages,
  basepath: consolePath,
  // A page that fails is replaced within the frame, so that the navigation stays usable.
  defaultErrorComponent: Broken,
  defaultPendingComponent: Loading,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
