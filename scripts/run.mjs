import { runNode } from './lib/runtime.mjs'
import { Problem, script } from './lib/say.mjs'

// `node scripts/run.mjs FILE ARGUMENTS`: a program of ours on the Node that Lectern runs on, whatever is installed.
await script(async () => {
  const [file, ...args] = process.argv.slice(2)
  if (!file) throw new Problem('Say which program to run: node scripts/run.mjs FILE [ARGUMENTS]')
  const { code } = await runNode(['--disable-warning=ExperimentalWarning', file, ...args])
  return code
})
