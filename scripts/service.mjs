#!/usr/bin/env node
import { at } from './lib/paths.mjs'
import { runNode } from './lib/runtime.mjs'
import { script } from './lib/say.mjs'
import { setup } from './setup.mjs'

// `node scripts/service.mjs OPERATION ...`: one operation of the service from the command line, on the Node that Lectern runs on.
// Standard output is for the answer alone, so that it can be piped: what the set-up says goes to standard error.
await script(async () => {
  const write = process.stdout.write
  process.stdout.write = process.stderr.write.bind(process.stderr)
  await setup()
  process.stdout.write = write
  // Paths on the command line are meant from where it was typed; npm runs scripts from the root.
  const cwd = process.env['INIT_CWD'] ?? process.cwd()
  const { code } = await runNode([at('src', 'cli', 'main.ts'), ...process.argv.slice(2)], { cwd })
  return code
})
