// Code of templates is in comments (#@ …), which the highlighter greys out: marks it as code.
for (const comment of document.querySelectorAll("code.language-yaml .hljs-comment")) {
  if (comment.textContent.startsWith("#@")) {
    comment.classList.replace("hljs-comment", "template-code");
  }
}
