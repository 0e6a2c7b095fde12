package svc

// serverAddress is the address of the server that this module was downloaded from, such as https://svc.example.com. It is
// empty in a module from elsewhere. The server replaces this file.
const serverAddress = ""
