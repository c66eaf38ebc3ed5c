import { jsonReply } from '../reply.ts'
import type { ServiceReply } from '../reply.ts'
import type { Route } from '../route.ts'

/** `GET /paas/v4/voice/list` (spec 4.3): this computer has no voices, and says so with an empty list. */
async function listVoices(): Promise<ServiceReply> {
  return jsonReply({
    voice_list: [],
    engine: 'none on this computer',
    notice: 'This computer can neither clone a voice nor speak.',
  })
}

/** The operations of this family. */
export const voicesRoutes: readonly Route[] = [['GET', '/paas/v4/voice/list', listVoices]]
