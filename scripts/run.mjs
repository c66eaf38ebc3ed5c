import { build } from './build.mjs'
import { runNode } from './lib/runtime.mjs'
import { Problem, script } from './lib/say.mjs'
import { setup } from './setup.mjs'

// `node scripts/run.mjs [--built] FILE ARGUMENTS`: runs one of our programs on Lectern's Node, after the setup;
// with --built also after the build, and with the programs that tests need.
await script(async () => {
  const given = process.argv.slice(2)
  const needsBuild = given[0] === '--built'
  const [file, ...args] = needsBuild ? given.slice(1) : given
  if (!file) throw new Problem('Usage: node scripts/run.mjs [--built] FILE [ARGUMENTS]')
  const env = await setup({ forTests: needsBuild })
  if (needsBuild) await build()
  const { code } = await runNode([file, ...args], { env })
  return code
})
