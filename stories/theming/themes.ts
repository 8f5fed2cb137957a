/**
 * Ten lines each, that tie the library's tokens to the variables of a design system. What they do not name keeps its
 * default. `variables` stand in for the design system itself, which a host has on its page.
 */
export const themes = {
  shadcn: {
    variables: `
      --background: oklch(1 0 0); --foreground: oklch(0.145 0 0); --card: oklch(1 0 0); --muted: oklch(0.97 0 0);
      --muted-foreground: oklch(0.5 0 0); --border: oklch(0.922 0 0); --input: oklch(0.87 0 0);
      --primary: oklch(0.205 0 0); --destructive: oklch(0.52 0.22 27); --radius: 10px;`,
    css: `
      --tcd-color-page: var(--background);
      --tcd-color-surface: var(--card);
      --tcd-color-surface-sunken: var(--muted);
      --tcd-color-ink: var(--foreground);
      --tcd-color-ink-soft: var(--muted-foreground);
      --tcd-color-hairline: var(--border);
      --tcd-color-hairline-strong: var(--input);
      --tcd-color-accent: var(--primary);
      --tcd-color-bad: var(--destructive);
      --tcd-radius-md: var(--radius);`,
  },
  material: {
    variables: `
      --mui-palette-background-default: #f5f5f5; --mui-palette-background-paper: #ffffff;
      --mui-palette-text-primary: rgb(0 0 0 / 0.87); --mui-palette-text-secondary: rgb(0 0 0 / 0.6);
      --mui-palette-divider: rgb(0 0 0 / 0.12); --mui-palette-primary-main: #1565c0;
      --mui-palette-success-main: #2e7d32; --mui-palette-error-main: #c62828; --mui-palette-warning-main: #a84300;
      --mui-shape-borderRadius: 4px;`,
    css: `
      --tcd-color-page: var(--mui-palette-background-default);
      --tcd-color-surface: var(--mui-palette-background-paper);
      --tcd-color-ink: var(--mui-palette-text-primary);
      --tcd-color-ink-soft: var(--mui-palette-text-secondary);
      --tcd-color-hairline: var(--mui-palette-divider);
      --tcd-color-accent: var(--mui-palette-primary-main);
      --tcd-color-ok: var(--mui-palette-success-main);
      --tcd-color-bad: var(--mui-palette-error-main);
      --tcd-color-warn: var(--mui-palette-warning-main);
      --tcd-radius-md: var(--mui-shape-borderRadius);`,
  },
  ant: {
    variables: `
      --ant-color-bg-layout: #f5f5f5; --ant-color-bg-container: #ffffff; --ant-color-text: rgb(0 0 0 / 0.88);
      --ant-color-text-secondary: rgb(0 0 0 / 0.65); --ant-color-border-secondary: #f0f0f0; --ant-color-border: #d9d9d9;
      --ant-color-primary: #0958d9; --ant-color-success: #237804; --ant-color-error: #cf1322; --ant-border-radius-lg: 8px;`,
    css: `
      --tcd-color-page: var(--ant-color-bg-layout);
      --tcd-color-surface: var(--ant-color-bg-container);
      --tcd-color-ink: var(--ant-color-text);
      --tcd-color-ink-soft: var(--ant-color-text-secondary);
      --tcd-color-hairline: var(--ant-color-border-secondary);
      --tcd-color-hairline-strong: var(--ant-color-border);
      --tcd-color-accent: var(--ant-color-primary);
      --tcd-color-ok: var(--ant-color-success);
      --tcd-color-bad: var(--ant-color-error);
      --tcd-radius-md: var(--ant-border-radius-lg);`,
  },
} as const
