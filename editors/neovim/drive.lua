-- Drives Neovim's own client, without a window, against `plumb lsp`: opens a file, waits for findings,
-- fixes, types, completes, hovers, goes to a definition, renames and previews. Prints `ok NAME` for each
-- step.
local plumb, dir = os.getenv('PLUMB'), os.getenv('DIR')
local function fail(what, got)
  io.stdout:write('FAILED ' .. what .. ': ' .. vim.inspect(got) .. '\n')
  vim.cmd('cquit 1')
end
local function step(what, is_right, got)
  if not is_right then fail(what, got) end
  io.stdout:write('ok ' .. what .. '\n')
end
vim.cmd('edit ' .. dir .. '/a.yml')
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = 'plumb', cmd = { plumb, 'lsp' }, root_dir = dir })
vim.lsp.buf_attach_client(buffer, client)
local function findings()
  local codes = {}
  for _, it in ipairs(vim.diagnostic.get(buffer)) do table.insert(codes, it.code or it.user_data.lsp.code) end
  return codes
end
local function wait_for(n)
  vim.wait(60000, function() return #vim.diagnostic.get(buffer) == n end, 50)
  return #vim.diagnostic.get(buffer) == n
end
step('a finding is shown', wait_for(1), findings())
local function ask(method, line, character)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = line, character = character },
  }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  return answers and answers[client] and answers[client].result
end
local function request(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  return answers and answers[client] and answers[client].result
end
local function content() return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n') end
local range = { start = { line = 1, character = 0 }, ['end'] = { line = 1, character = 24 } }
local actions = request('textDocument/codeAction', { range = range, context = { diagnostics = {} } }) or {}
step('a fix is offered', actions[1] and actions[1].title == 'Replace by `name`', actions)
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
step('the fix is applied', content():find('data.values.name', 1, true), content())
-- Types `data.values.` with nothing after it.
vim.api.nvim_buf_set_lines(buffer, 1, 2, true, { 'name: #@ data.values.' })
local items = ask('textDocument/completion', 1, 21) or {}
items = items.items or items
local labels = {}
for _, it in ipairs(items) do table.insert(labels, it.label) end
step('data values are completed', table.concat(labels, ' ') == 'name port', labels)
vim.api.nvim_buf_set_lines(buffer, 1, 2, true, { 'name: #@ data.values.name' })
step('a correct file has no findings', wait_for(0), findings())
local hover = ask('textDocument/hover', 1, 22)
local text = hover and hover.contents.value or ''
step('hover shows the type and the value', text:find('string', 1, true) and text:find('web', 1, true), text)
local places = ask('textDocument/definition', 1, 22) or {}
step('the definition is in the schema', places[1] and places[1].uri:find('schema.yml', 1, true), places)
local shown = request('plumb/preview', {}) or {}
step('the preview has the output', shown.text == 'name: web\n', shown)
step('the preview has the source', shown.items[1] and shown.items[1].source.start.line == 1, shown.items)
local renamed = request('textDocument/rename', { position = { line = 1, character = 22 }, newName = 'title' }) or {}
vim.lsp.util.apply_workspace_edit(renamed, 'utf-16')
step('a data value is renamed in the template', content():find('data.values.title', 1, true), content())
local schema = vim.fn.bufnr(dir .. '/schema.yml')
local lines = schema > 0 and table.concat(vim.api.nvim_buf_get_lines(schema, 0, -1, true), '\n') or ''
step('a data value is renamed in the schema', lines:find('title: web', 1, true), lines)
vim.lsp.stop_client(client)
vim.wait(2000, function() return vim.lsp.client_is_stopped(client) end, 20)
step('the server ends', vim.lsp.client_is_stopped(client), nil)
vim.cmd('qall!')
