import type { Decorator, Preview } from '@storybook/react-vite'
import './fonts.css'
import '../src/styles/index.css'
import './page.css'

/** Theme, direction and language belong to the page, as in an application; on a docs page each story is its own page. */
const withPage: Decorator = (Story, { globals, viewMode }) => {
  const attributes = {
    'data-theme': globals.theme,
    'data-contrast': globals.contrast,
    'data-density': globals.density,
    dir: globals.direction,
    lang: globals.locale,
  }
  if (viewMode === 'docs') {
    return (
      <div className="docs-page" {...attributes}>
        <Story />
      </div>
    )
  }
  // Set before the story renders, so that its first frame and its `play` see them.
  for (const [name, value] of Object.entries(attributes)) document.documentElement.setAttribute(name, value)
  return <Story />
}

const preview: Preview = {
  tags: ['autodocs'],
  initialGlobals: { theme: 'light', contrast: 'standard', density: 'comfortable', direction: 'ltr', locale: 'en' },
  globalTypes: {
    theme: {
      description: 'Theme',
      toolbar: {
        title: 'Theme',
        icon: 'contrast',
        dynamicTitle: true,
        items: [
          { value: 'light', title: 'Light' },
          { value: 'dark', title: 'Dark' },
        ],
      },
    },
    contrast: {
      description: 'Contrast',
      toolbar: {
        title: 'Contrast',
        icon: 'eye',
        dynamicTitle: true,
        items: [
          { value: 'standard', title: 'Standard contrast' },
          { value: 'more', title: 'High contrast' },
        ],
      },
    },
    density: {
      description: 'Density',
      toolbar: {
        title: 'Density',
        icon: 'ruler',
        dynamicTitle: true,
        items: [
          { value: 'comfortable', title: 'Comfortable' },
          { value: 'compact', title: 'Compact' },
        ],
      },
    },
    direction: {
      description: 'Direction',
      toolbar: {
        title: 'Direction',
        icon: 'transfer',
        dynamicTitle: true,
        items: [
          { value: 'ltr', title: 'Left to right' },
          { value: 'rtl', title: 'Right to left' },
        ],
      },
    },
    locale: {
      description: 'Language',
      toolbar: {
        title: 'Language',
        icon: 'globe',
        dynamicTitle: true,
        items: [
          { value: 'en', title: 'English' },
          { value: 'zh-CN', title: '中文' },
          { value: 'ru', title: 'Русский' },
          { value: 'es', title: 'Español' },
          { value: 'ar', title: 'العربية' },
        ],
      },
    },
  },
  parameters: {
    a11y: { test: 'error' },
    backgrounds: { disable: true },
    controls: { matchers: { date: /Date$/i } },
    options: {
      storySort: {
        order: [
          'Live',
          'Playground',
          'Guide',
          ['Start', 'Anatomy', 'States', 'Composing', 'Theming', 'Protocols'],
          'Components',
          'Parts',
          'Theming',
          'Testing',
        ],
      },
    },
  },
  decorators: [withPage],
}
export default preview
