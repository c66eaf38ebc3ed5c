import type { TaskResult } from '../../../../../shared/model/task.ts'
import type { WantedFile } from '../../store/remote-items-types.ts'
import { fileNameOf } from '../saved-files/file-name.ts'
import { inlineAddress } from '../saved-files/saved-files.ts'

/** Returns the files of a result: videos with their covers, images, and audio embedded in the response. */
export function filesOf(result: TaskResult): readonly WantedFile[] {
  const named = (role: WantedFile['role'], place: number, address: string): WantedFile => ({
    role,
    place,
    address,
    name: fileNameOf(role, place, address),
  })
  return [
    ...result.videos.flatMap(({ url, coverUrl }, place) => [
      named('video', place, url),
      ...(coverUrl ? [named('cover', place, coverUrl)] : []),
    ]),
    ...result.images.map(({ url }, place) => named('image', place, url)),
    ...result.choices.flatMap(({ audio }, place) =>
      audio && audio.data !== ''
        ? [
            {
              role: 'audio',
              place,
              address: inlineAddress,
              name: `sound-${place + 1}.wav`,
            } as const,
          ]
        : [],
    ),
  ]
}

/** Returns the embedded audio of a result by choice index; null if there is none. */
export function audioIn(result: TaskResult | null, place: number): Uint8Array | null {
  const data = result?.choices[place]?.audio?.data
  // Removes the prefix of a data URI before its base64 content.
  return data ? Buffer.from(data.replace(/^data:[^,]*,/, ''), 'base64') : null
}
