// What records samples of voices: loaded with the first recording.

export { openGraph } from './graph.ts'
export { openMicrophone } from './sources.ts'
