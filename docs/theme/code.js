// Code of templates is in comments (#@ …), which the highlighter greys out: marks it as code.
for (const comment of document.querySelectorAll("code.language-yaml .hljs-comment")) {
  if (comment.textContent.startsWith("#@")) {
    comment.classList.replace("hljs-comment", "template-code");
  }
}

// The highlighter takes `-->` and `10>` in the output of consoles for prompts. Only `$` is one.
for (const console of document.querySelectorAll("code.language-console")) {
  const parts = console.textContent.split(/^(\$ .*)$/m).map((part) => {
    if (!part.startsWith("$ ")) return document.createTextNode(part);
    const command = document.createElement("span");
    command.className = "command";
    command.textContent = part;
    return command;
  });
  console.replaceChildren(...parts);
}

// The keyboard can scroll code only if it can focus it.
for (const code of document.querySelectorAll("pre > code")) {
  if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
}
