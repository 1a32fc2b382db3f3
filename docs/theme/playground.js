// Consoles that the playground can run have a link to it, which contains the files above them and the command.
const VALUE = `[ =]("[^"]*"|'[^']*'|[^-\\s]\\S*)`;
const OTHER = "output|report|deny|show|watch|files-inspect|data-values-inspect|data-values-schema-inspect|debug|bulk|dangerous-emptied|help|version";
const SWITCHES = "-s| --(strict|ignore-unknown-comments|keep-comments|implicit-map-key-overrides|output-disable-validation|dangerous-(allow-all-symlink-destinations|data-values-disable-validation))";
const COMMANDS = [
  `( check)? (-f|--file)${VALUE}( ${SWITCHES}| (-[fv]|--(?!${OTHER})[a-z-]+)${VALUE})*`,
  " vm check( --template[ =]\\S+| [^-\\s]\\S*)+",
  ` generate( --stdout| -v| (-[pfo]|--(parameter|parameters|output-directory|validate|schema|lib))${VALUE}| [^-\\s]\\S*)+`,
].map((it) => new RegExp(`^\\$ plumb${it}$`));
const isRunnable = (command) => COMMANDS.some((it) => it.test(command)) && !/[|<>`;&*]|.\$/.test(command);

/** The parts of a link for each console, or null. Blocks are headings, files and consoles in their order. */
function linksOf(title, blocks) {
  let files = {};
  let section = title;
  const links = [];
  for (const { heading, file, console, text } of blocks) {
    // Each section has its own files.
    if (heading) [files, section] = [{}, `${title}: ${heading}`];
    if (file) files[file] = text;
    if (!console) continue;
    const command = text.split("\n")[0];
    links.push(isRunnable(command) && Object.keys(files).length > 0 ? { title: section, command, files: { ...files } } : null);
  }
  return links;
}

function blockOf(element) {
  const name = [...element.classList].find((it) => it.startsWith("file="));
  const text = element.textContent;
  if (element.tagName === "H2") return { heading: text.trim() };
  if (name) return { file: name.slice("file=".length), text };
  return { console: element.classList.contains("language-console"), text };
}

const elements = [...document.querySelectorAll("main h2, main pre > code")];
const consoles = elements.filter((it) => it.tagName === "CODE" && blockOf(it).console);
linksOf(document.querySelector("main h1")?.textContent ?? "", elements.map(blockOf)).forEach((parts, at) => {
  if (!parts) return;
  const link = document.createElement("a");
  link.href = `${path_to_root}playground/index.html#run=${encodeURIComponent(JSON.stringify(parts))}`;
  link.textContent = "Open in the playground";
  const above = document.createElement("p");
  above.append(link);
  consoles[at].closest("pre").before(above);
});
