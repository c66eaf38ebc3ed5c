import { mergeConfig } from 'vite'
import { nodeBuild } from './build.targets.ts'

/**
 * The core of the Electron host. In one build with main and the workers, what it shares with each of them would be a file of its
 * own: sixty files to find and read before the first window opens, and code of the workers that it never runs. Built after
 * main, whose folder it shares.
 */
export default mergeConfig(nodeBuild({ core: 'src/main/hosts/core/index.ts' }, 'out/main'), {
  build: { emptyOutDir: false },
})
