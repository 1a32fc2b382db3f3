// `@jkcfg/std/fs`: lists files.
import host from 'plumb:host';

export class FileInfo {
  constructor(name, path, isdir) {
    this.name = name;
    this.path = path;
    this.isdir = isdir;
  }
}

export class Directory {
  constructor(name, path, files) {
    this.name = name;
    this.path = path;
    this.files = files;
  }
}

const fileInfo = ([name, path, isdir]) => new FileInfo(name, path, isdir);

export function info(path, options = {}) {
  return fileInfo(host.info(String(path).toWellFormed(), options.module));
}

export function dir(path, options = {}) {
  const [[name, given], files] = host.dir(String(path).toWellFormed(), options.module);
  return new Directory(name, given, files.map(fileInfo));
}

export function join(base, name) {
  return host.join(String(base).toWellFormed(), String(name).toWellFormed());
}

// Every file and directory below a path, a directory before its content. `pre` decides whether to
// enter a directory, and `post` is called after that directory was left. Neither is called for the
// path itself.
export function* walk(path, options = {}) {
  const { pre = () => true, post = () => {} } = options;
  const pending = [dir(path).files[Symbol.iterator]()];
  while (pending.length > 0) {
    const { done, value } = pending[pending.length - 1].next();
    if (done) {
      pending.pop();
      if (pending.length > 0) post();
    } else if (!value.isdir) {
      yield value;
    } else {
      yield value;
      if (pre(value)) pending.push(dir(value.path).files[Symbol.iterator]());
    }
  }
}
