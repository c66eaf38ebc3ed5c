import type { AssistantTool } from '../../../../shared/chats/answer-step.ts'
import { AppError } from '../../../errors.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import { modestImage } from '../../../platform/files/bounded-image.ts'
import { remoteCaps } from '../../../platform/security/remote-fetch.ts'
import { fetchImage, type FetchImageDeps } from '../../playground/index.ts'

interface DrawingsDeps extends FetchImageDeps {
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
}

/** Maximum number of images fetched for one answer; the others keep only their URL. */
const maxDrawings = 16

/**
 * Saves the images drawn by an assistant to the library, because their URLs expire: each output gets the `mediaId` of
 * its image, or null and the `trouble` that prevented it. Returns the same list where nothing was drawn. Rejects only
 * when the signal fires.
 */
export async function saveDrawings(
  deps: DrawingsDeps,
  calls: readonly AssistantTool[],
  accountId: string,
  signal: AbortSignal,
): Promise<readonly AssistantTool[]> {
  const addresses = [...new Set(calls.flatMap(drawn))].slice(0, maxDrawings)
  if (addresses.length === 0) return calls
  const saved = new Map<string, DrawingResult>()
  await Promise.all(
    addresses.map(async (address) => {
      saved.set(address, await saveDrawing(deps, address, accountId, signal))
    }),
  )
  signal.throwIfAborted()
  return calls.map((call) => {
    if (call.type !== 'drawing_tool') return call
    return {
      ...call,
      outputs: outputsOf(call).map((output) => ({
        ...output,
        ...(saved.get(addressOf(output)) ?? { mediaId: null, trouble: 'LIMIT_EXCEEDED' }),
      })),
    }
  })
}

interface DrawingResult {
  readonly mediaId: string | null
  readonly trouble?: string
}

async function saveDrawing(
  deps: DrawingsDeps,
  address: string,
  accountId: string,
  signal: AbortSignal,
): Promise<DrawingResult> {
  try {
    const bytes = inline(address) ?? (await fetchImage(deps, address, new Set([accountId]), signal))
    const stream = new Blob([Buffer.from(bytes)]).stream()
    const media = await deps.files.intake(stream, 'drawing', bytes.byteLength, signal)
    if (media.mime.startsWith('image/'))
      return { mediaId: (await modestImage(deps.files, media)).id }
    await deps.files.remove(media.id)
    return { mediaId: null, trouble: 'UNSUPPORTED_FORMAT' }
  } catch (error) {
    return { mediaId: null, trouble: error instanceof AppError ? error.code : 'INTERNAL' }
  }
}

/** Returns the bytes of an image embedded in a data URL; null for any other URL. */
function inline(address: string): Uint8Array | null {
  const found = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(address)
  if (!found?.[1]) return null
  if (found[1].length > remoteCaps.bytes * 1.4)
    throw new AppError('LIMIT_EXCEEDED', 'The image is too large', {
      params: { limit: remoteCaps.bytes },
    })
  return Buffer.from(found[1], 'base64')
}

const outputsOf = ({ outputs }: AssistantTool): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(outputs)
    ? outputs.filter(
        (one): one is Record<string, unknown> => typeof one === 'object' && one !== null,
      )
    : []

const addressOf = ({ image }: Readonly<Record<string, unknown>>): string =>
  typeof image === 'string' ? image : ''

const drawn = (call: AssistantTool): readonly string[] =>
  call.type === 'drawing_tool' ? outputsOf(call).map(addressOf).filter(Boolean) : []
