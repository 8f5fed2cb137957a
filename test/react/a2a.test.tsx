import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ToolCallDetail, ToolCallProvider } from '../../src/react/index.js'
import { piece, said, update } from '../support/a2a.js'
import { makeTestStore } from '../support/wire.js'

function show(...messages: unknown[]) {
  const store = makeTestStore()
  for (const message of messages) store.receive('a2a', message)
  store.flush()
  return render(
    <ToolCallProvider store={store}>
      <ToolCallDetail callId="task-1" />
    </ToolCallProvider>,
  )
}

test('[B7] an agent that needs an answer waits for a person, and says what it asked', () => {
  show(update('WORKING', 1, said('m-1', 'Looking.')), update('INPUT_REQUIRED', 2, said('m-2', 'Which currency?')))

  expect(screen.getByRole('img', { name: 'Waiting for you' })).toBeInTheDocument()
  expect(screen.getByText('input-required')).toBeInTheDocument()
  expect(screen.getByText('Which currency?')).toBeInTheDocument()
})

test('[B7] what an agent made shows with its name and content, also where there is nothing else', () => {
  show(piece('rates.csv', 'a,b\n'), piece('rates.csv', '1,2\n', { append: true, lastChunk: true }))

  expect(screen.getByText('rates.csv')).toBeInTheDocument()
  expect(screen.getByRole('log', { name: 'Output of rates.csv' })).toHaveTextContent('1,2')
})
