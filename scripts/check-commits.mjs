import { parseArgs } from 'node:util'
import { run } from './lib/command.mjs'
import { problemsOf } from './lib/commit-message.mjs'
import { Problem, say, script } from './lib/say.mjs'

/** The last commit before the rule; older messages are not checked. */
const ruleSince = '4fc4adf09a37f99265285556407f7d410e2f8a39'

/** Checks the messages of the commits since a branch point, except merges: `node scripts/check-commits.mjs [COMMIT]`. */
await script(async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const since = positionals[0] ?? ruleSince
  const git = (/** @type {string[]} */ ...args) => run('git', args, { capture: true })
  if ((await git('cat-file', '-e', `${since}^{commit}`)).code !== 0) {
    if (positionals.length > 0)
      throw new Problem(`Commit ${since} not found.`, 'Specify a commit of this repository.')
    say(
      'This clone does not contain the history before this branch. Commit messages were not checked.',
    )
    return 0
  }
  const log = await git('log', '--no-merges', '--format=%h%x00%B%x01', `${since}..HEAD`)
  if (log.code !== 0) throw new Problem('The commits cannot be read.', log.output)
  const commits = log.output.split('\x01').map((entry) => entry.trim())
  const found = commits
    .filter((entry) => entry !== '')
    .flatMap((entry) => {
      const [hash = '', message = ''] = entry.split('\0')
      const [title = ''] = message.split('\n')
      return problemsOf(message).map((problem) => `${hash} "${title}": ${problem}`)
    })
  for (const line of found) say(line)
  say(
    `${commits.filter((entry) => entry !== '').length} commit messages checked, ${found.length} problems.`,
  )
  return found.length === 0 ? 0 : 1
})
