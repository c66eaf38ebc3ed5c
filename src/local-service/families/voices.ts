import { jsonReply } from '../reply.ts'
import type { ServiceReply } from '../reply.ts'

/** `GET /paas/v4/voice/list` (spec 4.3): this computer has no voices, and says so with an empty list. */
export async function listVoices(): Promise<ServiceReply> {
  return jsonReply({
    voice_list: [],
    engine: 'none on this computer',
    notice: 'This computer can neither clone a voice nor speak.',
  })
}
