import {
  archivePath,
  capturePath,
  intakePath,
  selfTestIntakePath,
} from '../../../shared/contract/transport.ts'

type Answer = (request: Request) => Promise<Response>

/** Handlers of the requests that a page can fetch. */
interface Places {
  /** Uploads of dropped files. */
  readonly intake: Answer
  /** Upload of an archive, and downloads of written ones. */
  readonly archives: {
    take(request: Request): Promise<Response>
    respond(request: Request, name: string): Promise<Response>
  }
  readonly audio: {
    /** Receives a block of a recording for the session with this ID. */
    take(request: Request, id: string): Promise<Response>
    /** Audio and waveform peaks of meetings. */
    respond(request: Request, name: string): Promise<Response>
  }
  readonly files: { respond(request: Request, name: string): Promise<Response> }
  /** Temporary library of a self-test. */
  readonly selfTest: {
    take(request: Request): Promise<Response>
    respond(request: Request, mediaId: string): Promise<Response>
  }
  /** Files that the browser downloads under their own names. */
  readonly saves: { respond(request: Request, name: string): Promise<Response> }
  /** The page itself, and the response for every other path. */
  readonly web: Answer
}

const mediaPath = '/media/'
/** Prefix of media names in the temporary library. */
export const selfTestMedia = 'self-test-'

/** Creates the handler of all requests of a page, by path. */
export function createServe(places: Places): Answer {
  const { intake, archives, audio, files, saves, selfTest, web } = places
  return async (request) => {
    const { pathname } = new URL(request.url)
    const puts = request.method === 'PUT'
    if (pathname === intakePath && puts) return intake(request)
    if (pathname === archivePath && puts) return archives.take(request)
    if (pathname.startsWith(capturePath) && puts)
      return audio.take(request, pathname.slice(capturePath.length))
    if (pathname === selfTestIntakePath && puts) return selfTest.take(request)
    if (!pathname.startsWith(mediaPath)) return web(request)
    const name = pathname.slice(mediaPath.length)
    if (name.startsWith('archive-')) return archives.respond(request, name)
    if (name.startsWith(selfTestMedia))
      return selfTest.respond(request, name.slice(selfTestMedia.length))
    if (name.startsWith('save-')) return saves.respond(request, name)
    return /^(meeting|peaks)-/.test(name)
      ? audio.respond(request, name)
      : files.respond(request, name)
  }
}
