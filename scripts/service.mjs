#!/usr/bin/env node
import { at } from './lib/paths.mjs'
import { runNode } from './lib/runtime.mjs'
import { script } from './lib/say.mjs'
import { setup } from './setup.mjs'

// `node scripts/service.mjs OPERATION ...`: calls one operation of the API from the command line, on Lectern's Node.
// Standard output is only for the response, so that it can be piped: output of the setup goes to standard error.
await script(async () => {
  const write = process.stdout.write
  process.stdout.write = process.stderr.write.bind(process.stderr)
  await setup()
  process.stdout.write = write
  // Paths on the command line are relative to where it was typed; npm runs scripts from the root.
  const cwd = process.env['INIT_CWD'] ?? process.cwd()
  const { code } = await runNode([at('src', 'cli', 'main.ts'), ...process.argv.slice(2)], { cwd })
  return code
})
