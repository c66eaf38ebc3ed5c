import type { Journey } from './journey.ts'
import { meetingAudio } from './content.ts'
import { main, section } from './locators.ts'

const spokenText = 'The release moves to the end of the month.'
/** Milliseconds of the sample that is recorded. */
const sampleMs = 10_000

export const cloneVoice: Journey = {
  name: 'clone',
  provider: 'engines',
  accountInUse: true,
  microphone: meetingAudio,
  parts: [
    {
      name: 'clone',
      goal: 'From the opened app to a voice of one’s own that can speak.',
      async steps(person, { page }) {
        await person.click(section(page, 'Voices'))
        await person.click(page.getByTestId('sample-record'))
        await person.see(page.getByTestId('sample-stop'))
        await person.pass(sampleMs)
        await person.click(page.getByTestId('sample-stop'))
        await person.see(page.getByTestId('verdict'))
        await person.type(main(page).getByLabel('Speaker'), 'Ada')
        await person.choose(
          'Which purpose?',
          main(page).getByRole('button', { name: 'Reading minutes aloud' }),
        )
        await person.click(main(page).getByRole('button', { name: 'Consent to cloning' }))
        await person.click(page.getByTestId('clone'))
        const take = main(page).locator('[data-take=done]')
        await person.see(take)
        await person.see(take.getByRole('button', { name: 'Play' }).nth(1))
      },
    },
  ],
}

export const speakText: Journey = {
  name: 'speak',
  provider: 'speech',
  accountInUse: true,
  parts: [
    {
      name: 'speak',
      goal: 'From the opened app to a text that is played aloud.',
      async steps(person, { page }) {
        await person.click(section(page, 'Voices'))
        await person.click(page.getByRole('radiogroup', { name: 'View' }).getByText('Narration'))
        await person.type(page.getByRole('textbox', { name: 'Text', exact: true }), spokenText)
        await person.click(page.getByRole('button', { name: 'Generate', exact: true }))
        const player = page.getByRole('region', { name: 'Full audio' })
        await person.click(player.getByRole('button', { name: 'Play' }))
        const position = page.getByRole('slider', { name: /position/i })
        await person.seeThat('hear the audio', async () => Number(await position.inputValue()) > 0)
      },
    },
  ],
}
