// Blocks such as ```yaml file=config.yml are files: shows the name of each above it.
for (const code of document.querySelectorAll("pre > code")) {
  const name = [...code.classList].find((it) => it.startsWith("file="));
  if (name) {
    const caption = document.createElement("code");
    caption.textContent = name.slice("file=".length);
    const above = document.createElement("p");
    above.append(caption, ":");
    code.closest("pre").before(above);
  }
}
