// The source of `@jkcfg/std/resource`, for each directory that imports it: files relative to the
// importing module.
import * as std from '@jkcfg/std';
import * as fs from '@jkcfg/std/fs';

export const bind = (module) => ({
  read: (path, options = {}) => std.read(path, { ...options, module }),
  dir: (path, options = {}) => fs.dir(path, { ...options, module }),
  info: (path, options = {}) => fs.info(path, { ...options, module }),
  withModuleRef: (use) => use(module),
});
