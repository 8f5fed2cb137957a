import type { StorybookConfig } from '@storybook/react-vite'
import react from '@vitejs/plugin-react'
import remarkGfm from 'remark-gfm'

const config: StorybookConfig = {
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.tsx'],
  addons: [
    // MDX knows no tables of its own.
    {
      name: '@storybook/addon-docs',
      options: { mdxPluginOptions: { mdxCompileOptions: { remarkPlugins: [remarkGfm] } } },
    },
    '@storybook/addon-a11y',
    '@storybook/addon-vitest',
  ],
  framework: '@storybook/react-vite',
  features: { sidebarOnboardingChecklist: false },
  core: { disableTelemetry: true, disableWhatsNewNotifications: true, enableCrashReports: false },
  // The option above only hides the news that each page load asks storybook.js.org for.
  experimental_serverChannel(channel) {
    channel.removeAllListeners('requestWhatsNewData')
    return channel
  },
  // 'react-docgen-typescript' needs the compiler's programming interface, which TypeScript 7 does not have.
  typescript: { reactDocgen: 'react-docgen' },
  // Storybook brings no React plugin: without it an edited component is mounted anew and loses its state.
  viteFinal: (vite) => ({ ...vite, plugins: [...(vite.plugins ?? []), react()] }),
}
export default config
