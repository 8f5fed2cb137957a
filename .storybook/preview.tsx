import type { Decorator, Preview } from '@storybook/react-vite'
import './fonts.css'
import '../src/styles/index.css'
import './page.css'

type Icon = NonNullable<NonNullable<Preview['globalTypes']>[string]['toolbar']>['icon']

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

/** A choice in the toolbar, with the title of each value. */
const toolbar = (title: string, icon: Icon, titles: Readonly<Record<string, string>>) => ({
  description: title,
  toolbar: {
    title,
    icon,
    dynamicTitle: true,
    items: Object.entries(titles).map(([value, each]) => ({ value, title: each })),
  },
})

const preview: Preview = {
  tags: ['autodocs'],
  initialGlobals: { theme: 'light', contrast: 'standard', density: 'comfortable', direction: 'ltr', locale: 'en' },
  globalTypes: {
    theme: toolbar('Theme', 'contrast', { light: 'Light', dark: 'Dark' }),
    contrast: toolbar('Contrast', 'eye', { standard: 'Standard contrast', more: 'High contrast' }),
    density: toolbar('Density', 'ruler', { comfortable: 'Comfortable', compact: 'Compact' }),
    direction: toolbar('Direction', 'transfer', { ltr: 'Left to right', rtl: 'Right to left' }),
    locale: toolbar('Language', 'globe', {
      en: 'English',
      'zh-CN': '中文',
      ru: 'Русский',
      es: 'Español',
      ar: 'العربية',
    }),
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
