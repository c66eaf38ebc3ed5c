import type { Journey } from './journey.ts'
import {
  importMeeting,
  meetingAnswer,
  meetingAudio,
  meetingQuestion,
  meetingTitle,
} from './content.ts'
import { main, row } from './locators.ts'

/** Milliseconds of the meeting that is recorded: its first sentences. */
const recordedMs = 20_000

export const record: Journey = {
  name: 'record',
  microphone: meetingAudio,
  parts: [
    {
      name: 'record: start',
      goal: 'From the opened app to a running recording.',
      async steps(person, { page }) {
        await person.click(main(page).getByRole('button', { name: 'New recording' }).first())
        // A browser would ask which tab to share: a dialog that the desktop app doesn’t need.
        await person.choose('Record what others say, too?', page.getByTestId('use-computer-audio'))
        await person.click(page.getByTestId('record'))
        await person.see(page.getByTestId('stop'))
        await person.pass(recordedMs)
      },
    },
    {
      name: 'record: finish',
      goal: 'From Stop to a readable transcript with a title.',
      async steps(person, { page }) {
        await person.click(page.getByTestId('stop'))
        await person.see(main(page).getByTestId('meeting-pane'))
        await person.see(main(page).getByTestId('completeness').getByText('100% transcribed'))
        await person.see(main(page).getByTestId('line-text').first())
        // The title suggested from the transcript.
        await person.click(main(page).getByTestId('title-suggestion').getByRole('button').first())
        await person.see(
          main(page).getByRole('heading', { level: 1, name: /release|search|index/i }),
        )
      },
    },
    {
      name: 'record: again',
      goal: 'From a meeting to another running recording, with the devices used last.',
      async steps(person, { page }) {
        await person.click(page.getByRole('button', { name: 'New recording' }).first())
        await person.see(page.getByTestId('stop'))
      },
    },
  ],
}

export const importAudio: Journey = {
  name: 'import',
  parts: [
    {
      name: 'import',
      goal: 'From an audio file to its readable transcript.',
      async steps(person, { page, file }) {
        const path = file(`${meetingTitle}.wav`, meetingAudio())
        await person.chooseFile(page.getByRole('button', { name: 'Import…' }).first(), path)
        await person.see(main(page).getByTestId('line-text').first())
        await person.see(main(page).getByTestId('completeness').getByText('100% transcribed'))
      },
    },
  ],
}

export const askMeeting: Journey = {
  name: 'ask-meeting',
  prepare: importMeeting,
  parts: [
    {
      name: 'ask-meeting',
      goal: 'From the opened app to an answer from a meeting.',
      async steps(person, { page }) {
        await person.click(row(page, meetingTitle))
        const field = page.getByTestId('ask-meeting').getByRole('textbox')
        await person.type(field, meetingQuestion)
        await person.press('Enter')
        const answer = page.locator('[data-testid=answer][data-state=done]')
        await person.see(answer.getByText(meetingAnswer).first())
      },
    },
  ],
}

export const summarize: Journey = {
  name: 'summarize',
  prepare: importMeeting,
  parts: [
    {
      name: 'summarize',
      goal: 'From the opened app to the summary of a meeting.',
      async steps(person, { page }) {
        await person.click(row(page, meetingTitle))
        await person.click(
          main(page).getByRole('radiogroup', { name: 'View' }).getByText('Summary'),
        )
        await person.click(page.getByTestId('summarize'))
        await person.see(page.locator('[data-testid=summary][data-state=done]'))
      },
    },
  ],
}
