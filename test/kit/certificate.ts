/** A certificate of its own authority for `localhost` and 127.0.0.1, good until 2120, and its key: for tests, and known to everybody. */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBcDCCARegAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5kaXJlY3Rv
cnkudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOZGlyZWN0b3J5LnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATX
MxRmPp+GpU9BQI5dn3mnwDwd+Tcwm61RlqddnU+mjI0Y76K5wmRicmKq/pINrHc9
iX2sy+ZjkTAEuSSRQ/uZo04wTDAPBgNVHRMBAf8EBTADAQH/MBoGA1UdEQQTMBGC
CWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUbOgdUdJt8KbthzNwQ3VWY2lMkQMw
CgYIKoZIzj0EAwIDRwAwRAIgK8loWIvjrgaVbw2I+v/hOINcbonGk1jPem+49zW3
JPcCIFQL4Hjczl5ns+7ckcUkXDzmzHFRzIQsICYDAIfFOinz
-----END CERTIFICATE-----
`;

export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHc0IjnZP6TLS34Ld
FOpQ9k9jnPHGphs0Jj2czqAw7sihRANCAATXMxRmPp+GpU9BQI5dn3mnwDwd+Tcw
m61RlqddnU+mjI0Y76K5wmRicmKq/pINrHc9iX2sy+ZjkTAEuSSRQ/uZ
-----END PRIVATE KEY-----
`;
