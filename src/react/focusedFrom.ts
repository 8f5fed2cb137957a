/**
 * What has the focus as seen from an element: in its own document, which may be that of a frame or of another window, and
 * in its own shadow root.
 */
export function focusedFrom(element: Element): Element | null {
  return (element.getRootNode() as Partial<DocumentOrShadowRoot>).activeElement ?? null
}
