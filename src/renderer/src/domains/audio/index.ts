// What other domains use of this one.

export { useExport, type Ask } from './export/use-export.ts'
export type { PrintedPage } from './export/use-meeting-export.ts'
export { questionOf, type MeetingQuestion } from './meetings/meeting-question.ts'
export { speakerStyles } from './meetings/speakers.ts'
export { columnsOf, readPeaks, type Peaks } from './meetings/peaks.ts'
export type { Graph } from './recorder/audio/graph.ts'
export type { ChannelLevel, RecorderMessage } from './recorder/audio/messages.ts'
export { SourceError, type SourceProblem } from './recorder/audio/sources.ts'
export { default as LevelMeter } from './recorder/components/LevelMeter.vue'
export { useMicrophones } from './recorder/use-microphones.ts'
export { default as AudioBar } from './meetings/components/AudioBar.vue'
export { useAudio, usePlayer, type PlayableAudio } from './meetings/use-audio.ts'
