// Is compiled against the types of the package.
import { type Answer, type Files, Generators, Plumb, load, loadGenerators } from 'plumb-config';

const files: Files = { 'a.yml': 'a: 1\n' };

export async function use(): Promise<string[]> {
  const plumb: Plumb = await load();
  const answer: Answer = plumb.render(files, { target: { file: ['a.yml'] }, values: [{ flag: 'data-value', path: 'a', value: 'b' }] });
  const generators: Generators = await loadGenerators();
  const made = generators.generate(files, { target: { generate: 'a.ts' } });
  const server = plumb.languageServer();
  server.handle('{}');
  // @ts-expect-error There is no such flag.
  plumb.render(files, { values: [{ flag: 'no-such-flag', path: 'a', value: 'b' }] });
  const texts = [plumb.exportSchema(files, 'crd').text, plumb.print(files, 'output', 'json').text, plumb.explain('yaml/syntax')];
  return [...answer.report.findings.map((it) => it.message), made.report.ending, ...texts.map((it) => it ?? '')];
}
