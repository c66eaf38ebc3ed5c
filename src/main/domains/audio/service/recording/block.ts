import type { ErrorCode, Reply } from '../../../../../shared/contract/reply.ts'
import { captureFrameHeader, type CaptureReply } from '../../../../../shared/contract/transport.ts'
import type { Clock, Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'

/** Received samples, and their position. */
export interface Block {
  readonly frame: number
  /** Whether to write silence up to `frame` first. */
  readonly fill: boolean
  readonly samples: Uint8Array
}

/** Maximum block size in bytes: more than twenty seconds of two channels at 48 kHz. */
const maxBlockBytes = 4 * 1024 * 1024

/** Time limit for receiving a block, in milliseconds: a tab suspended in the middle would block all others. */
const timeoutMs = 20_000

/**
 * Reads a block of whole frames. Throws BAD_REQUEST for anything else, before buffering more than the maximum size, and CANCELLED
 * if it is not received in time or its recording is `over`.
 */
export async function readBlock(
  request: Request,
  frameBytes: number,
  over: AbortSignal,
): Promise<Block> {
  const match = /^(\d{1,15})( fill)?$/.exec(request.headers.get(captureFrameHeader) ?? '')
  if (!match) throw new AppError('BAD_REQUEST', 'The block does not specify its start')
  const samples = await bodyOf(request, AbortSignal.any([over, AbortSignal.timeout(timeoutMs)]))
  if (samples.length % frameBytes !== 0)
    throw new AppError('BAD_REQUEST', 'A block must contain only complete frames')
  return { frame: Number(match[1]), fill: match[2] !== undefined, samples }
}

async function bodyOf(request: Request, giveUp: AbortSignal): Promise<Uint8Array> {
  const tooLong = (): AppError => new AppError('BAD_REQUEST', 'The block is too long')
  if (Number(request.headers.get('content-length') ?? 0) > maxBlockBytes) throw tooLong()
  const body = request.body?.getReader()
  const leave = (): void => void body?.cancel().catch(() => undefined)
  giveUp.addEventListener('abort', leave)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (;;) {
      const chunk = await body?.read()
      giveUp.throwIfAborted()
      if (!chunk?.value) return Buffer.concat(chunks)
      bytes += chunk.value.length
      if (bytes > maxBlockBytes) throw tooLong()
      chunks.push(chunk.value)
    }
  } catch (error) {
    leave()
    if (error instanceof AppError) throw error
    throw new AppError('CANCELLED', 'The block was not received completely', { cause: error })
  } finally {
    giveUp.removeEventListener('abort', leave)
  }
}

/** Errors that sending the same block again cannot change. */
const final: readonly ErrorCode[] = ['BAD_REQUEST', 'NOT_FOUND', 'REFUSED']

/** Wraps the result or error of `work` in an envelope. The page still has its copy: after any other error it may retry. */
export async function answerCapture(
  work: () => Promise<CaptureReply>,
  {
    clock,
    log,
    redact,
  }: { readonly clock: Clock; readonly log: Log; redact(text: string): string },
): Promise<Response> {
  const reply = await work().then(
    (data): Reply<CaptureReply> => ({ ok: true, data }),
    (error: unknown): Reply<CaptureReply> => {
      const failure = toFailure(error, clock())
      if (!(error instanceof AppError)) log.error('failed to receive a block', { error })
      const retriable = !final.includes(failure.code)
      return { ok: false, error: { ...failure, retriable, message: redact(failure.message) } }
    },
  )
  return Response.json(reply, {
    headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  })
}
