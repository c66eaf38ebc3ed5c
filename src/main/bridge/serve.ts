import {
  archivePath,
  capturePath,
  intakePath,
  selfTestIntakePath,
} from '../../shared/bridge/transport.ts'

type Answer = (request: Request) => Promise<Response>

/** Who answers what a page fetches. */
export interface Places {
  /** Files that are dropped. */
  readonly intake: Answer
  /** An archive that arrives, and those that were written. */
  readonly archives: {
    take(request: Request): Promise<Response>
    respond(request: Request, name: string): Promise<Response>
  }
  readonly audio: {
    /** A block of a recording, for the session of this id. */
    take(request: Request, id: string): Promise<Response>
    /** Sound and peaks of meetings. */
    respond(request: Request, name: string): Promise<Response>
  }
  readonly files: { respond(request: Request, name: string): Promise<Response> }
  /** The throw-away library of a self-test. */
  readonly selfTest: {
    take(request: Request): Promise<Response>
    respond(request: Request, mediaId: string): Promise<Response>
  }
  /** Files that are saved by the browser, under names of their own. */
  readonly saves: { respond(request: Request, name: string): Promise<Response> }
  /** The page itself, and the answer for every other path. */
  readonly web: Answer
}

const mediaPath = '/media/'
/** Beginning of the names of media in the throw-away library. */
export const selfTestMedia = 'self-test-'

/** Builds the answer to everything that a page fetches, by its path. */
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
