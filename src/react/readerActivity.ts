/** How long a reader who pressed a key counts as typing, in ms. */
const typingMs = 1_000

const typingPlaces =
  'input, textarea, select, [role="textbox"], [role="searchbox"], [role="combobox"], dialog, [role="dialog"], [role="alertdialog"], iframe'

/** Knows whether moving the focus would disturb. */
export interface ReaderActivity {
  /** Whether the reader is typing, or is in a dialog, so that the focus must stay and not go to that element. */
  isBusy(element: Element): boolean
  /** No longer listens for keys. */
  readonly end: () => void
}

/** Begins to listen for keys on the page. */
export function watchReader(): ReaderActivity {
  let lastKeyAt = Number.NEGATIVE_INFINITY
  const onKeyDown = () => {
    lastKeyAt = performance.now()
  }
  document.addEventListener('keydown', onKeyDown, true)
  return {
    isBusy: ({ ownerDocument }) =>
      performance.now() - lastKeyAt < typingMs || isTypingPlace(innermostFocus(ownerDocument)),
    end: () => document.removeEventListener('keydown', onKeyDown, true),
  }
}

/** What has the focus, inside of shadow roots, too. */
function innermostFocus(document: Document): Element | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}

function isTypingPlace(element: Element | null): boolean {
  if (element === null) return false
  // jsdom knows nothing of `isContentEditable`; `closest` would miss one that a document is as a whole.
  return (element as HTMLElement).isContentEditable || element.closest(`${typingPlaces}, ${editable}`) !== null
}

const editable = '[contenteditable]:not([contenteditable="false"])'
