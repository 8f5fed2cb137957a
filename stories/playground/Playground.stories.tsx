import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, userEvent, waitFor } from 'storybook/test'
import { PlaygroundPage } from './PlaygroundPage.js'

/** Any message of any protocol, by hand: what is sent, again and in another order, and what comes of it. */
const meta = {
  title: 'Playground',
  component: PlaygroundPage,
  args: { locale: 'en' },
  argTypes: { locale: { table: { disable: true } } },
  parameters: { controls: { disable: true } },
  render: (_args, { globals }) => <PlaygroundPage locale={globals.locale as string} />,
} satisfies Meta<typeof PlaygroundPage>
export default meta
type Story = StoryObj<typeof meta>

export const Playground: Story = {
  play: async ({ canvas, step }) => {
    const status = () => canvas.getByRole('status')
    const press = (name: string) => userEvent.click(canvas.getByRole('button', { name }))
    await step('an example is sent, and its area is there', async () => {
      await press('Send')
      await waitFor(() => expect(canvas.getByRole('group', { name: 'Final value' })).toBeVisible())
      await expect(canvas.getByText('none')).toBeVisible()
    })
    await step('sent again it changes nothing', async () => {
      await press('Send again')
      await expect(status()).toHaveTextContent('what is shown is the same')
    })
    await step('nor does another order', async () => {
      await press('Shuffle and resend')
      await expect(status()).toHaveTextContent('what is shown is the same')
    })
    await step('what can not be used is counted', async () => {
      await press('Nothing that can be used')
      await press('Send')
      await expect(await canvas.findByText('not_an_object: 2')).toBeVisible()
    })
    await step('another protocol has examples of its own', async () => {
      await press('Reset')
      await userEvent.selectOptions(canvas.getByLabelText('Protocol'), 'a2a')
      await press('Send')
      await waitFor(() => expect(canvas.getByRole('group', { name: 'Final value' })).toBeVisible())
    })
  },
}
