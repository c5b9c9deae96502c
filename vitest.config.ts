import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { findChromium } from './scripts/chromium.mjs';

const projects: TestProjectConfiguration[] = [
  {
    test: {
      name: 'node',
      include: ['test/**/*.test.ts'],
      exclude: ['test/browser/**'],
      pool: 'threads',
      testTimeout: 60_000,
    },
  },
];

const executablePath = findChromium();
if (executablePath) {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  projects.push({
    optimizeDeps: { include: ['buffer', 'stream-browserify'] },
    test: {
      name: 'browser',
      include: ['test/browser/**/*.test.ts'],
      setupFiles: ['test/browser/setup.ts'],
      testTimeout: 60_000,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({
          // Without --no-sandbox Chromium does not start as root.
          launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet] },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  });
} else if (process.env['CI']) {
  throw new Error('The browser tests cannot run: no Chromium was found.');
} else {
  console.warn('The browser tests will NOT run: no Chromium was found (CHROMIUM can name one).');
}

export default defineConfig({ test: { projects } });
