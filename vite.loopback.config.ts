import { entries, nodeBuild } from './build.targets.ts'

/** The loopback host, built separately so that none of it can reach the packaged app. */
export default nodeBuild(entries('src/main/hosts/loopback/index.ts'), 'out/loopback')
