const WORDS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'somebody else listens there',
  EACCES: 'the system does not allow it',
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'it broke the connection off',
  ENOTFOUND: 'there is no such host',
  EPIPE: 'it broke the connection off',
};

/** Of a socket, for people. */
export function troubleOf({ code, message }: NodeJS.ErrnoException): string {
  const words = code === undefined ? undefined : WORDS[code];
  return words === undefined ? (code ?? message) : `${words} (${code})`;
}
