// What code on the command line of `run` can use without an import. These are globals, so that its
// own imports and declarations can shadow them.
import { Encoding, Format, log, print, read, write } from '@jkcfg/std';
import { dir, info } from '@jkcfg/std/fs';
import * as param from '@jkcfg/std/param';

Object.assign(globalThis, { Encoding, Format, dir, info, log, param, print, read, write });
