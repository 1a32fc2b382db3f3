;; Drives Emacs with eglot, without a window, against `plumb lsp`: opens a file, waits for findings, fixes,
;; types, completes, hovers, goes to a definition, renames and previews. Prints `ok NAME` for each step.
;; Usage: PLUMB=PROGRAM DIR=DIRECTORY emacs --batch --load drive.el
(package-initialize)
(require 'eglot)
(require 'yaml-mode)
(require 'cl-lib)

(defun drive-step (what is-right got)
  "Report the step WHAT, and stop unless IS-RIGHT; GOT is what was found instead."
  (unless is-right
    (princ (format "FAILED %s: %S\n" what got))
    (kill-emacs 1))
  (princ (format "ok %s\n" what)))

(defun drive-wait (condition)
  "Wait for at most a minute until CONDITION returns something."
  (let ((end (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    found))

(defun drive-findings ()
  "The texts of the findings of the buffer."
  ;; Emacs sends changes when it is idle, which it never is in batch mode.
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun drive-go-to (text)
  "Move to the end of the first TEXT."
  (goto-char (point-min))
  (search-forward text))

;; The set-up of the manual.
(add-to-list 'eglot-server-programs `(yaml-mode . (,(getenv "PLUMB") "lsp")))

(setq eglot-sync-connect 60 eglot-confirm-server-initiated-edits nil eglot-send-changes-idle-time 0
      project-find-functions (list (lambda (_) (cons 'transient (getenv "DIR")))))
(find-file (expand-file-name "a.yml" (getenv "DIR")))
(yaml-mode)
(apply #'eglot (eglot--guess-contact))
(flymake-mode 1)

(drive-step "a finding is shown" (drive-wait (lambda () (= (length (drive-findings)) 1))) (drive-findings))
(drive-go-to "data.values.nam")
(let* ((actions (eglot-code-actions (line-beginning-position) (line-end-position)))
       (fix (aref (cl-coerce actions 'vector) 0)))
  (drive-step "a fix is offered" (equal (plist-get fix :title) "Replace by `name`") actions)
  (eglot--apply-workspace-edit (plist-get fix :edit)))
(drive-step "the fix is applied" (string-match-p "data\\.values\\.name" (buffer-string)) (buffer-string))
(drive-go-to "data.values.name")
(delete-char -4)
(let* ((capf (eglot-completion-at-point))
       (labels (all-completions "" (nth 2 capf))))
  (drive-step "data values are completed" (equal (mapcar #'substring-no-properties labels) '("name" "port")) labels))
(insert "name")
(drive-step "a correct file has no findings" (drive-wait (lambda () (null (drive-findings)))) (drive-findings))
(drive-go-to "data.values.n")
(let* ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
       (text (plist-get (plist-get hover :contents) :value)))
  (drive-step "hover shows the type and the value" (and (string-match-p "string" text) (string-match-p "web" text)) text))
(let ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
  (drive-step "the definition is in the schema"
              (string-match-p "schema\\.yml" (xref-location-group (xref-item-location (car found)))) found))
(let ((preview (jsonrpc-request (eglot-current-server) :plumb/preview
                                `(:textDocument ,(eglot--TextDocumentIdentifier)))))
  (drive-step "the preview has the output" (equal (plist-get preview :text) "name: web\n") preview))
;; Nobody can answer questions.
(cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
  (eglot-rename "title"))
(drive-step "a data value is renamed in the template" (string-match-p "data\\.values\\.title" (buffer-string)) (buffer-string))
(with-current-buffer (find-file-noselect (expand-file-name "schema.yml" (getenv "DIR")))
  (drive-step "a data value is renamed in the schema" (string-match-p "title: web" (buffer-string)) (buffer-string)))
(eglot-shutdown (eglot-current-server))
(dolist (buffer (buffer-list)) (with-current-buffer buffer (set-buffer-modified-p nil)))
(kill-emacs 0)
