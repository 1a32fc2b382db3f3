" Drives Vim with ALE, without a window, against `plumb lsp`: opens a file, waits for findings, fixes, types,
" completes, hovers, goes to a definition and renames. Prints `ok NAME` for each step.
" Usage: PLUMB=PROGRAM DIR=DIRECTORY vim -N -u NONE -es -S drive.vim
set nocompatible hidden noswapfile virtualedit=onemore
let g:ale_disable_lsp = 0
let g:ale_linters = {'yaml': ['plumb']}
let g:ale_lint_on_text_changed = 'always'
let g:ale_lint_delay = 50
packadd ale
filetype plugin on

function! s:Say(text) abort
  call writefile([a:text], '/dev/stdout', 'a')
endfunction

function! s:Step(what, is_right, got) abort
  if !a:is_right
    call s:Say('FAILED ' . a:what . ': ' . string(a:got))
    cquit
  endif
  call s:Say('ok ' . a:what)
endfunction

" Waits for at most a minute until an expression is true.
function! s:Wait(condition) abort
  let l:left = 200
  while l:left > 0 && !eval(a:condition)
    sleep 50m
    let l:left -= 1
  endwhile
  return eval(a:condition)
endfunction

function! s:Findings() abort
  return map(copy(getloclist(0)), 'v:val.text')
endfunction

" The set-up of the manual.
call ale#linter#Define('yaml', {
\   'name': 'plumb',
\   'lsp': 'stdio',
\   'executable': $PLUMB,
\   'command': '%e lsp',
\   'project_root': {buffer -> fnamemodify(bufname(buffer), ':p:h')},
\})

execute 'edit ' . fnameescape($DIR . '/a.yml')
setfiletype yaml
call ale#Queue(0)
call s:Step('a finding is shown', s:Wait('len(getloclist(0)) == 1'), s:Findings())

function! s:Text() abort
  return join(getline(1, '$'), "\n")
endfunction

call cursor(2, 20)
call ale#codefix#Execute(0, {data, actions -> ale#codefix#ApplyLSPCodeAction(data, actions[0])})
call s:Step('the fix is applied', s:Wait('s:Text() =~# "data\\.values\\.name"'), s:Text())

" Types `data.values.` with nothing after it.
call setline(2, 'name: #@ data.values.')
call cursor(2, 22)
let s:completed = []
" Completion works in insert mode only, which a script cannot stay in.
function! ale#util#Mode(...) abort
  return 'i'
endfunction
call ale#completion#GetCompletions('ale-callback', {'callback': {found -> extend(s:completed, found)}})
call s:Wait('len(s:completed) > 0')
let s:labels = map(copy(s:completed), 'v:val.word')
call s:Step('data values are completed', s:labels == ['name', 'port'], s:labels)

call setline(2, 'name: #@ data.values.name')
call ale#Queue(0)
call s:Step('a correct file has no findings', s:Wait('empty(getloclist(0))'), s:Findings())

call cursor(2, 24)
let g:ale_hover_to_preview = 1
ALEHover
call s:Wait('!empty(filter(getbufinfo(), "v:val.name =~# \"ALEPreview\""))')
let s:preview = filter(getbufinfo(), 'v:val.name =~# "ALEPreview"')
let s:shown = empty(s:preview) ? '' : join(getbufline(s:preview[0].bufnr, 1, '$'), "\n")
call s:Step('hover shows the type and the value', s:shown =~# 'string' && s:shown =~# 'web', s:shown)
execute bufwinnr($DIR . '/a.yml') . 'wincmd w'

call cursor(2, 24)
ALEGoToDefinition
call s:Step('the definition is in the schema', s:Wait('bufname("") =~# "schema.yml"'), bufname(''))
ALEStopAllLSPs
call s:Say('all steps passed')
qall!
