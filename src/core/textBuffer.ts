/** UTF-16 code units after which a page is closed. */
const pageLength = 4_096

/**
 * A text that grows at its end. Adding costs what is added, and reading its beginning or its end what is read, whatever
 * its length: the text is kept in pages and never joined until all of it is asked for.
 */
export class TextBuffer {
  length = 0
  /** Line breaks so far. */
  #breaks = 0
  #pages: string[] = []
  #last = ''
  #joined: string | undefined

  /** Lines so far. A line break at the very end ends the last line and opens none. */
  get lineCount(): number {
    return this.length === 0 ? 0 : this.#breaks + (this.#last.endsWith('\n') ? 0 : 1)
  }

  append(text: string): void {
    if (text === '') return
    if (this.#last.length >= pageLength) {
      this.#pages.push(this.#last)
      this.#last = ''
    }
    this.#last += text
    this.length += text.length
    this.#joined = undefined
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#breaks += 1
  }

  /** The first `length` code units. */
  head(length: number): string {
    if (this.length <= length) return this.toString()
    let head = ''
    for (const page of this.#pages) {
      if (head.length >= length) break
      head += page
    }
    return (head.length < length ? head + this.#last : head).slice(0, length)
  }

  /** The last `length` code units. */
  tail(length: number): string {
    if (this.length <= length) return this.toString()
    let tail = this.#last
    for (let at = this.#pages.length - 1; at >= 0 && tail.length < length; at--) tail = this.#pages[at] + tail
    return tail.slice(-length)
  }

  /** All of it. Joined once until more is added. */
  toString(): string {
    this.#joined ??= this.#pages.length === 0 ? this.#last : this.#pages.join('') + this.#last
    return this.#joined
  }
}
