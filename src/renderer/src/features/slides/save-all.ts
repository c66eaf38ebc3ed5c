import type { KeptFile } from '../../../../shared/model/kept-file.ts'
import { useClient } from '../../api/use-client.ts'
import { saveFile } from '../export/save-file.ts'

/** Milliseconds between two files: a browser takes one click at a time for one that was meant. */
const betweenMs = 250

/** Saves files one after the other, under names that tell their order. */
export function useSaveAll() {
  const client = useClient()
  return {
    async saveAll(files: readonly KeptFile[]): Promise<void> {
      for (const file of files) {
        if (file.mediaId === null) continue
        saveFile(client.mediaUrl(file.mediaId), file.name)
        await new Promise((resolve) => setTimeout(resolve, betweenMs))
      }
    },
  }
}
