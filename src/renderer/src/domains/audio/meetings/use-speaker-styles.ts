import { computed } from 'vue'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { speakerStyles } from './speakers.ts'
import { useMeeting } from './meetings-store.ts'

/** Names, colors and shapes of the opened meeting's speakers, and the names of its channels. */
export function useSpeakerStyles() {
  const store = useMeeting()
  const { t } = useTranslation()
  const styles = computed(() =>
    speakerStyles(store.meeting ?? { speakers: [], channels: [] }, {
      role: (role) => t(`meeting.roles.${role}`),
      unnamed: (n) => t('meeting.speakerN', { n }),
    }),
  )
  const channelName = (channel: number): string => {
    const speaker = store.meeting?.speakers.find((one) => one.channel === channel)
    const style = speaker && styles.value.get(speaker.id)
    return style?.name ?? t(`meeting.roles.${store.meeting?.channels[channel] ?? 'mono'}`)
  }
  return { styles, channelName }
}
