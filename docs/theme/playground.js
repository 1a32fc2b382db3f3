// Consoles that the playground can run have a link to it. Their names are those of web/examples.mjs: the page, and
// the number of the console on it.
const RUNNABLE = /^\$ plumb (check )?(-f|--file|vm check) (?!.* (-[oW]|--(output|output-files|report|deny-warnings|show-values|watch|data-values-inspect|data-values-schema-inspect|files-inspect|debug))(?![\w-]))[^|<>$`;&*]*$/;
const PAGE = /((?:guides\/[^/]+)|tutorial)\.html$/.exec(location.pathname)?.[1];
if (PAGE) {
  [...document.querySelectorAll("pre > code.language-console")].forEach((code, at) => {
    if (!RUNNABLE.test(code.textContent.split("\n")[0])) return;
    const link = document.createElement("a");
    link.href = `${path_to_root}playground/index.html#example=${PAGE}:${at + 1}`;
    link.textContent = "Open in the playground";
    const above = document.createElement("p");
    above.append(link);
    code.closest("pre").before(above);
  });
}
