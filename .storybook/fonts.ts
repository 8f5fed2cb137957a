// The fonts of Storybook and of the screenshots; the library ships none. A file such as 400.css holds every script of
// that weight with its range of characters, and the browser loads those that a page uses.
import '@fontsource/inter/400.css'
import '@fontsource/inter/500.css'
import '@fontsource/inter/600.css'
import '@fontsource/jetbrains-mono/400.css'
import '@fontsource/jetbrains-mono/500.css'
import '@fontsource/jetbrains-mono/600.css'
import '@fontsource/noto-sans-sc/chinese-simplified-400.css'
// The signs of terminal output: arrows, ticks, frames and blocks, and the braille dots of spinners.
import '@fontsource/dejavu-mono/latin-400.css'
import '@fontsource/dejavu-sans/latin-400.css'
import './fonts.css'
