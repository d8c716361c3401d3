// Passes requests of ST-VarSystem's extension on to the engine, which has the same routes.
import { ANSWER_MS, forward } from './proxy.mjs';
import { plainPath } from './paths.mjs';
import { METHODS, ownerOf } from './routes.mjs';

const PATH = /^\/var-manager\/(?:probe|snapshots|templates|global-snapshots|reprocess)(?:\/[^/]+)*$/;

/** Returns the path at the engine, or null. `path` is without the query. */
export function varManagerPath(method, path) {
  const plain = plainPath(path);
  return METHODS.has(method) && plain !== null && PATH.test(plain) ? plain : null;
}

/** Adds the routes to the host's router, which serves them under `/api/plugins/var-manager`. */
export function addVarManager(router, engine) {
  router.use((request, response, next) => {
    const path = varManagerPath(request.method, request.path);
    if (path === null) return next();
    return forward(engine, request, response, path, { owner: ownerOf(request), timeout: ANSWER_MS });
  });
}
