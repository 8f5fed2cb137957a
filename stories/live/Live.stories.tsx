import type { Meta, StoryObj } from '@storybook/react-vite'
import { LivePage } from './LivePage.js'

/** A small chat front end on the real Socket.IO server that `npm start` runs beside Storybook. */
const meta: Meta<typeof LivePage> = {
  title: 'Live/Chat',
  component: LivePage,
  tags: ['!autodocs', '!test'],
  parameters: { layout: 'fullscreen', controls: { disable: true } },
}
export default meta

export const Chat: StoryObj<typeof LivePage> = {
  render: (_args, { globals }) => <LivePage url={import.meta.env.STORYBOOK_LIVE_URL} locale={globals.locale} />,
}
