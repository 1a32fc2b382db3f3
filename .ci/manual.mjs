// Reads every page of the built manual in headless Chromium, on a desktop and on a phone.
// Usage: node .ci/manual.mjs CHROMIUM MODULES MANUAL, where MODULES is the folder node_modules that contains
// playwright-core.
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [executablePath, modules, manual] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(modules), "x.js"))("playwright-core");
const root = resolve(manual);
const READERS = [
  { name: "desktop", theme: "light", options: { viewport: { width: 1280, height: 900 }, colorScheme: "light" } },
  { name: "phone", theme: "navy", options: { viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true } },
];
// A search, and the page that must be among the first three results.
const SEARCHES = [
  ["validation/rule-broken", "findings/validation/rule-broken.html"],
  ["remove a key", "guides/cookbook.html"],
];

/** The pages that are in the summary, with the home page. */
const pages = readdirSync(root, { recursive: true })
  .filter((it) => it.endsWith(".html") && !["print.html", "toc.html", "404.html"].includes(it) && !it.startsWith("playground"))
  .sort();

/** What is wrong with the page that is shown, what it links to, and the places that others can link to. */
function look() {
  const main = document.querySelector("main");
  const wide = [...main.querySelectorAll(".table-wrapper")].filter((it) => it.scrollWidth > it.clientWidth + 1);
  const links = [...document.querySelectorAll("main a[href], .nav-wrapper a[href]")].map((it) => it.href);
  return {
    theme: document.documentElement.className,
    isTooWide: document.documentElement.scrollWidth > innerWidth,
    tables: wide.map((it) => it.innerText.split("\n")[0]),
    n_titles: main.querySelectorAll("h1").length,
    links: links.filter((it) => it.startsWith("file:") && !it.includes("/playground/index.html")),
    anchors: [...document.querySelectorAll("[id]")].map((it) => it.id),
  };
}

const problems = [];
const anchors = {};
const links = [];
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const { name, theme, options } of READERS) {
  const page = await (await browser.newContext(options)).newPage();
  let shown = "";
  page.on("pageerror", (it) => problems.push(`${shown} (${name}): ${it}`));
  for (const path of pages) {
    shown = path;
    await page.goto(pathToFileURL(join(root, path)).href, { waitUntil: "domcontentloaded" });
    const seen = await page.evaluate(look);
    if (seen.isTooWide) problems.push(`${path} (${name}): the page is wider than the window`);
    if (!seen.theme.split(" ").includes(theme)) problems.push(`${path} (${name}): the theme is not ${theme}`);
    if (seen.n_titles !== 1) problems.push(`${path} (${name}): ${seen.n_titles} titles`);
    if (name === "desktop") {
      problems.push(...seen.tables.map((it) => `${path}: a table is wider than the page: ${it}`));
      links.push(...seen.links.map((link) => ({ path, link })));
      anchors[path] = seen.anchors;
    }
  }
  for (const [text, expected] of SEARCHES) {
    await page.goto(`${pathToFileURL(join(root, "index.html")).href}?search=${encodeURIComponent(text)}`);
    await page.waitForSelector("#mdbook-searchresults li");
    const results = await page.$$eval("#mdbook-searchresults li a", (it) => it.slice(0, 3).map(({ href }) => href));
    if (!results.some((it) => it.includes(`/${expected}`))) problems.push(`search (${name}): ${text} does not find ${expected}`);
  }
}
await browser.close();

for (const { path, link } of links) {
  const { hash } = new URL(link);
  const target = relative(root, fileURLToPath(link.split("#")[0]));
  if (!existsSync(join(root, target))) problems.push(`${path}: ${target} does not exist`);
  const isKnown = !hash || !anchors[target] || anchors[target].includes(decodeURIComponent(hash.slice(1)));
  if (!isKnown) problems.push(`${path}: ${target} has no place ${hash}`);
}
console.log([...new Set(problems)].join("\n"));
console.log(`${pages.length} pages, ${links.length} links, ${READERS.length} widths: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
