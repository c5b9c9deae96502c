// Prints "N passed, N failed" from the report of the last test run; fails when a test failed, or when nothing or nothing
// in a browser ran.
import { existsSync, readFileSync } from 'node:fs';
import { root } from './process.mjs';

const path = `${root}dist/.cache/tests.json`;
const { testResults = [] } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
const count = (files, status) =>
  files.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;

const passed = count(testResults, 'passed');
const broken = testResults.filter((file) => file.status === 'failed' && !count([file], 'failed')); // did not even load
const failed = count(testResults, 'failed') + broken.length;
const inBrowser = count(
  testResults.filter(({ name }) => name.includes('/test/browser/')),
  'passed',
);
if (!passed) console.log('No test ran.');
else if (!inBrowser) console.log('No test ran in a browser.');
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed || !inBrowser ? 1 : 0;
