;; Drives eglot, without a window, against `plumb lsp`: opens a file, waits for findings, types,
;; completes, hovers and goes to a definition. Prints `ok NAME` for each step.
(require 'eglot)
(require 'flymake)

(define-derived-mode plumb-judge-mode text-mode "Plumb")
(add-to-list 'eglot-server-programs
             (list 'plumb-judge-mode (getenv "PLUMB") "lsp"))
(setq eglot-sync-connect 60 eglot-connect-timeout 120)

(defun judge (what is-right got)
  "Prints WHAT if IS-RIGHT, or fails with what was GOT."
  (unless is-right
    (message "FAILED %s: %S" what got)
    (kill-emacs 1))
  (princ (format "ok %s\n" what)))

(defun judge-until (predicate)
  "Waits until PREDICATE returns a value."
  (let ((end (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall predicate))) (< (float-time) end))
      (accept-process-output nil 0.1))
    found))

(find-file (expand-file-name "a.yml" (getenv "DIR")))
(plumb-judge-mode)
(apply #'eglot (eglot--guess-contact))
(let ((server (eglot-current-server)))
  (judge "the server is connected" server nil)
  (flymake-mode 1)
  (judge "a finding is shown"
         (judge-until (lambda () (flymake-start) (flymake-diagnostics)))
         (flymake-diagnostics))
  (goto-char (point-max))
  (search-backward "data.values.nam")
  (delete-region (point) (line-end-position))
  (insert "data.values.")
  (let ((labels (mapcar (lambda (it) (plist-get it :label))
                        (append (jsonrpc-request server :textDocument/completion
                                                 (progn (eglot--signal-textDocument/didChange)
                                                        (eglot--TextDocumentPositionParams)))
                                nil))))
    (judge "data values are completed" (equal labels '("name" "port")) labels))
  (insert "name")
  (eglot--signal-textDocument/didChange)
  (backward-char 2)
  (let* ((hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams)))
         (text (plist-get (plist-get hover :contents) :value)))
    (judge "hover shows the type and the value"
           (and (string-search "string" text) (string-search "web" text)) text))
  (let ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
    (judge "the definition is in the schema"
           (and found (string-search "schema.yml" (format "%S" found))) found))
  (eglot-shutdown server))
