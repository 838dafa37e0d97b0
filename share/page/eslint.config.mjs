// SPDX-License-Identifier: Apache-2.0
// What t/page-lint asks eslint: mistakes, no layout.
const browser = ['atob', 'Blob', 'DecompressionStream', 'document', 'getComputedStyle', 'history', 'location',
	'ResizeObserver', 'Response', 'TextDecoder', 'URL', 'URLSearchParams', 'window'];

export default [{
	files: ['*.js'],
	languageOptions: { ecmaVersion: 2023, sourceType: 'module',
		globals: Object.fromEntries(browser.map((name) => [name, 'readonly'])) },
	rules: Object.fromEntries(['eqeqeq', 'no-constant-condition', 'no-dupe-keys', 'no-eval', 'no-fallthrough',
		'no-implied-eval', 'no-redeclare', 'no-self-assign', 'no-sequences', 'no-shadow', 'no-undef', 'no-unreachable',
		'no-unused-vars', 'no-var', 'prefer-const'].map((rule) => [rule, 'error'])),
}];
