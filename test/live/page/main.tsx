import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../../../src/styles/index.css'
import '../../../.storybook/page.css'
import { LivePage } from '../../../stories/live/LivePage.js'

const url = new URLSearchParams(location.search).get('server') ?? undefined

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <LivePage url={url} locale="en" />
  </StrictMode>,
)
