import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startLocalService } from '../local-service/server.ts'
import { AppError } from '../main/errors.ts'
import { forkedProcess } from '../system/own-process/fork.ts'
import { limits } from '../shared/provider/limits.ts'
import { presets } from '../shared/provider/profiles.ts'

import type { ApiDeps, ServiceTarget } from '../main/provider-client/types.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const worker = (name: string): URL =>
  new URL(`../local-service/workers/${name}.ts`, import.meta.url)

/** The command's own folder: never the app's, whose database only one program can open at a time. */
function folder(
  requested: string | null,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (requested !== null) return resolve(requested)
  const home = env['LECTERN_HOME']
  return home ? join(resolve(home), 'command-line') : join(homedir(), '.lectern-local-service')
}

/** Starts the local service in this process. Throws ENGINE_UNAVAILABLE. */
export async function startThisComputer(
  requested: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Reached> {
  try {
    const home = folder(requested, env)
    await mkdir(home, { recursive: true, mode: 0o700 })
    const service = await startLocalService({
      port: 0,
      key: randomBytes(24).toString('base64url'),
      home,
      modelsDir: env['LECTERN_MODELS'] || join(root, 'resources', 'models'),
      workerUrls: { speech: worker('speech'), text: worker('text'), pages: worker('pages') },
      openProcess: forkedProcess(new URL('../main/workers/own-process.ts', import.meta.url)),
    })
    return {
      target: {
        accountId: 'this-computer',
        accountName: 'This computer',
        baseUrl: service.url,
        key: service.key,
        profile: presets.local,
        limits,
      },
      endsWithCall: true,
      network: null,
      close: () => service.stop(),
    }
  } catch (error) {
    throw new AppError('ENGINE_UNAVAILABLE', 'The on-device service didn’t start', {
      cause: error,
    })
  }
}

/** A provider that can be called until it is closed. */
export interface Reached {
  readonly target: ServiceTarget
  /** Whether the service ends with the request: indexing that it starts must then be awaited. */
  readonly endsWithCall: boolean
  /** Network settings of the account; null: those of the environment. */
  readonly network: Pick<ApiDeps, 'proxyFor' | 'extraCa'> | null
  close(): Promise<void>
}
